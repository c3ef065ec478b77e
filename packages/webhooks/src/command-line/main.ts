#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts';
import { endUnexpectedly } from './unexpected-error.ts';

// Also what is thrown where nothing waits for it, and promises that nothing waits for.
process.on('uncaughtException', endUnexpectedly);

// No `await` at the top level: the build also makes CommonJS of this file.
runCommandLine(process.argv.slice(2), process.env).then(
  (exitCode) => process.exit(exitCode),
  endUnexpectedly,
);
