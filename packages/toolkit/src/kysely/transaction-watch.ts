import {
  AliasNode,
  IdentifierNode,
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  PrimitiveValueListNode,
  type QueryId,
  QueryNode,
  RawNode,
  type RootOperationNode,
  SelectionNode,
  ValueNode,
  ValuesNode,
} from 'kysely';

/** What the statements of one call in a host's transaction have answered so far. */
export interface TransactionWatch {
  /** For all statements of the call. */
  readonly plugin: KyselyPlugin;
  /**
   * True if the transaction may have ended meanwhile, or its `execute` may answer no rows any more:
   * a bound statement has written nothing, or statements have answered nothing at all.
   */
  isInDoubt(): boolean;
}

/**
 * Watches the statements of one call. With the transaction's id, of PostgreSQL, it also binds those
 * that write: outside that transaction they write nothing.
 *
 * @param id what `pg_current_xact_id()` answered in the transaction; undefined on other databases
 */
export function watchTransaction(id: string | undefined): TransactionWatch {
  const bound = new WeakSet<QueryId>();
  let [answered, unanswered, unwritten] = [false, false, false];
  return {
    plugin: {
      transformQuery({ node, queryId }) {
        if (id === undefined || !isWrite(node)) return node;
        bound.add(queryId);
        return boundTo(id, node);
      },
      async transformResult({ result, queryId }) {
        const isEmpty = !(result.rows?.length > 0);
        answered ||= !isEmpty;
        unanswered ||= isEmpty;
        unwritten ||= isEmpty && bound.has(queryId);
        return result;
      },
    },
    isInDoubt: () => unwritten || (unanswered && !answered),
  };
}

type WriteNode = Extract<
  RootOperationNode,
  { kind: 'InsertQueryNode' | 'UpdateQueryNode' | 'DeleteQueryNode' }
>;

const WRITES: ReadonlySet<string> = new Set<WriteNode['kind']>([
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
]);

/** Whether the statement changes rows. */
export function isWrite(node: OperationNode): node is WriteNode {
  return WRITES.has(node.kind);
}

/** In another transaction the condition is false; the rows that come back tell the two apart. */
function boundTo(id: string, node: WriteNode): WriteNode {
  const condition = RawNode.create(['pg_current_xact_id()::text = ', ''], [ValueNode.create(id)]);
  const bound =
    node.kind === 'InsertQueryNode'
      ? InsertQueryNode.cloneWith(node, { values: selectedIf(condition, node.values) })
      : QueryNode.cloneWithWhere(node, condition);
  if (bound.returning !== undefined) return bound;
  const written = AliasNode.create(RawNode.createWithSql('1'), IdentifierNode.create('written'));
  return QueryNode.cloneWithReturning(bound, [SelectionNode.create(written)]);
}

/** The rows to insert as a `select` with the condition. */
function selectedIf(condition: RawNode, values: OperationNode | undefined): RawNode {
  if (values === undefined || !ValuesNode.is(values)) {
    return RawNode.create(
      ['select * from (', ') as written where ', ''],
      [values ?? RawNode.createWithSql(''), condition],
    );
  }
  const [row, ...others] = values.values;
  // A column's type reaches the parameters of one `select`, but not those of a union.
  if (row === undefined || others.length > 0) throw new Error('a bound insert has one row, or a select');
  const cells = PrimitiveValueListNode.is(row)
    ? row.values.map((value) => ValueNode.create(value))
    : row.values;
  const commas = cells.map((_, index) => (index === 0 ? 'select ' : ', '));
  return RawNode.create([...commas, ' where ', ''], [...cells, condition]);
}
