import { startSandbox } from '../sandbox/world.ts';
import type { SandboxOptions } from '../sandbox/world.ts';
import type { Places } from './processes.ts';

// The mail world in a process of its own, so that it can be killed. It ends with whoever started it.

const options = JSON.parse(process.argv[2] ?? '{}') as SandboxOptions;
const { dohUrl, socksUrl, rdapUrl } = await startSandbox(options);
process.send?.({ dohUrl, socksUrl, rdapUrl } satisfies Places);
process.once('disconnect', () => process.exit(0));
