import { type AddressBytes, blockContains, type CidrBlock, parseAddress, parseCidr } from './cidr-block.ts';
import {
  GLOBAL_UNICAST_IPV6,
  IPV4_CARRYING_BLOCKS,
  REFUSED_IPV4_BLOCKS,
  REFUSED_IPV6_BLOCKS,
  type SpecialPurposeBlock,
} from './special-purpose-blocks.ts';

/** The maximum number of entries in `allowedAddresses`. */
const MAX_ALLOWED_ADDRESSES = 64;

/**
 * The shortest prefixes of an entry: those of the largest private blocks (10.0.0.0/8, fc00::/7). A
 * few shorter ones would cover every address, which would disable the protection.
 */
const MIN_IPV4_PREFIX = 8;
const MIN_IPV6_PREFIX = 7;

/**
 * Whether a delivery may connect to an address, and why.
 *
 * `because` is for the operator's logs. A webhook's owner never sees it.
 */
export interface AddressVerdict {
  readonly reachable: boolean;
  readonly because: string;
}

/** Decides which addresses deliveries may connect to. Immutable. */
export interface AddressPolicy {
  /**
   * Judges the text of one IP address. Refuses text that is not an address.
   *
   * An IPv4-mapped or NAT64 address is judged by the IPv4 address inside it. Every other IPv6
   * address outside 2000::/3 is refused.
   */
  judge(address: string): AddressVerdict;
}

interface CompiledBlock extends SpecialPurposeBlock {
  readonly block: CidrBlock;
}

const REFUSED_BLOCKS = [...REFUSED_IPV4_BLOCKS, ...REFUSED_IPV6_BLOCKS].map(compile);
const CARRYING_BLOCKS = IPV4_CARRYING_BLOCKS.map(compile);
const GLOBAL_UNICAST = requireCidr(GLOBAL_UNICAST_IPV6);

const PUBLIC: AddressVerdict = { reachable: true, because: 'public' };
const ALLOW_LISTED: AddressVerdict = { reachable: true, because: 'allow-listed' };
const NO_ADDRESS: AddressVerdict = { reachable: false, because: 'not an IP address' };
const OUTSIDE_GLOBAL_UNICAST: AddressVerdict = {
  reachable: false,
  because: `outside ${GLOBAL_UNICAST_IPV6}, the IPv6 global unicast block`,
};

/**
 * Creates the policy that every outgoing connection and every URL check goes through.
 *
 * @param allowedAddresses CIDR blocks or single addresses, at most 64, that are reachable although
 *   they are not public. The list only allows addresses; it never blocks a public one. An IPv4
 *   entry also allows the IPv4-mapped and NAT64 addresses that contain its addresses.
 * @throws TypeError if the list is too long, or if an entry is not a block, has bits set behind its
 *   prefix, is larger than /8 (IPv6: /7), or lies in an IPv4-mapped or NAT64 block.
 */
export function createAddressPolicy(allowedAddresses: readonly string[] = []): AddressPolicy {
  const allowed = compileAllowList(allowedAddresses);
  return Object.freeze({
    judge(text: string): AddressVerdict {
      const parsed = parseAddress(text);
      if (parsed === undefined) return NO_ADDRESS;
      const address = withoutCarrier(parsed);
      if (allowed.some((block) => blockContains(block, address))) return ALLOW_LISTED;
      const refused = REFUSED_BLOCKS.find(({ block }) => blockContains(block, address));
      if (refused !== undefined) {
        return { reachable: false, because: `${refused.cidr} ${refused.purpose} (${refused.source})` };
      }
      if (address.length === 16 && !blockContains(GLOBAL_UNICAST, address)) return OUTSIDE_GLOBAL_UNICAST;
      return PUBLIC;
    },
  });
}

/**
 * Tells whether two texts denote the same address in any notation (`::ffff:127.0.0.1` is
 * `127.0.0.1`).
 */
export function isSameAddress(left: string, right: string): boolean {
  const a = parseAddress(left);
  const b = parseAddress(right);
  if (a === undefined || b === undefined) return false;
  const [first, second] = [withoutMapping(a), withoutMapping(b)];
  return first.length === second.length && first.every((byte, index) => byte === second[index]);
}

function withoutCarrier(address: AddressBytes): AddressBytes {
  return CARRYING_BLOCKS.some(({ block }) => blockContains(block, address)) ? address.slice(12) : address;
}

/**
 * Unwraps mapped addresses, in which a dual-stack socket reports IPv4 peers. A NAT64 address
 * differs from its IPv4 one.
 */
function withoutMapping(address: AddressBytes): AddressBytes {
  const mapped = CARRYING_BLOCKS[0];
  return mapped !== undefined && blockContains(mapped.block, address) ? address.slice(12) : address;
}

function compileAllowList(entries: readonly string[]): readonly CidrBlock[] {
  if (!Array.isArray(entries)) throw new TypeError('allowedAddresses must be an array of CIDR blocks');
  if (entries.length > MAX_ALLOWED_ADDRESSES) {
    throw new TypeError(`allowedAddresses has ${entries.length} entries; at most ${MAX_ALLOWED_ADDRESSES}`);
  }
  return entries.map((entry: unknown, index) => {
    const name = `allowedAddresses[${index}] ${JSON.stringify(entry)}`;
    const block = typeof entry === 'string' ? parseCidr(entry) : undefined;
    if (block === undefined) throw new TypeError(`${name} must be an address block such as "10.1.2.0/24"`);
    const shortest = block.network.length === 4 ? MIN_IPV4_PREFIX : MIN_IPV6_PREFIX;
    if (block.prefixLength < shortest) {
      throw new TypeError(
        `${name} must have a prefix of at least /${shortest}: name the networks to deliver to`,
      );
    }
    if (CARRYING_BLOCKS.some((carrier) => blockContains(carrier.block, block.network))) {
      throw new TypeError(`${name} carries an IPv4 address; write it as an IPv4 block`);
    }
    return block;
  });
}

function compile(row: SpecialPurposeBlock): CompiledBlock {
  return { ...row, block: requireCidr(row.cidr) };
}

function requireCidr(text: string): CidrBlock {
  const block = parseCidr(text);
  if (block === undefined) throw new TypeError(`${text} is no address block`);
  return block;
}
