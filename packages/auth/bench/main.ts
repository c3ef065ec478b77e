/**
 * Runs every benchmark, one after the other, in this process: `npm run bench`.
 *
 * One alone: `node --import tsx packages/auth/bench/tokens.ts`.
 */
console.log(`Node ${process.version} on ${process.platform}/${process.arch}`);
await import('./tokens.ts');
await import('./hmac.ts');
await import('./passwords.ts');
await import('./token-cache-memory.ts');
