import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fakeWrangler } from './fake-platform.ts';
import type { FakeState } from './fake-platform.ts';

// In place of Wrangler's script: its platform is the file that FAKE_PLATFORM names.

const file = process.env['FAKE_PLATFORM'] ?? '';
const state = JSON.parse(readFileSync(file, 'utf8')) as FakeState;
if (process.argv.includes('secret')) state.inputs.push(await text(process.stdin));
const { status, output } = fakeWrangler(state, process.argv.slice(2));
writeFileSync(file, JSON.stringify(state));
(status === 0 ? process.stdout : process.stderr).write(`${output}\n`);
process.exitCode = status;
