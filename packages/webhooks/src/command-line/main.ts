#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts';

// No `await` at the top level: the build also makes CommonJS of this file.
void runCommandLine(process.argv.slice(2), process.env).then((exitCode) => process.exit(exitCode));
