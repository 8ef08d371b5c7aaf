import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';
import { startLocalService } from '../../tools/local-service.ts';
import type { LocalService } from '../../tools/local-service.ts';
import { familyOf } from '../bench/processes.ts';
import type { Process } from '../bench/processes.ts';
import { SANDBOX_RANGE } from '../sandbox/world.ts';
import type { SandboxOptions } from '../sandbox/world.ts';

/** Who can be killed. */
export const VICTIMS = ['worker', 'prober', 'sandbox'] as const;
export type Victim = (typeof VICTIMS)[number];

const SANDBOX = 'test/soak/sandbox-process.ts';
const ROUND_TRIP_MS = 5;

interface Places {
	readonly dohUrl: string;
	readonly socksUrl: string;
	readonly rdapUrl: string;
}

/** The three processes of a service on one state. Each comes back at the address it had. */
export class Processes {
	readonly #stateFolder: string;
	readonly #vars: Readonly<Record<string, string>>;
	readonly #token = randomBytes(24).toString('hex');
	readonly #password = randomBytes(12).toString('hex');
	#sandbox: { readonly child: ChildProcess; readonly places: Places } | null = null;
	#prober: LocalProber | null = null;
	#worker: LocalService | null = null;
	#url = '';

	constructor(stateFolder: string, vars: Readonly<Record<string, string>>) {
		this.#stateFolder = stateFolder;
		this.#vars = vars;
	}

	/** Where the service answers. */
	get url(): string {
		return this.#url;
	}

	async start(victim: Victim): Promise<void> {
		if (victim === 'sandbox') await this.#startSandbox();
		else if (victim === 'prober') await this.#startProber();
		else await this.#startWorker();
	}

	/** Ends a process at once, with all that it started, by their numbers. */
	async kill(victim: Victim): Promise<void> {
		const family = this.familyOf(victim);
		if (family.length === 0) return;
		const ended = this.#endedOf(victim);
		for (const { pid } of family) signal(pid, 'SIGKILL');
		await ended;
	}

	/** Ends everything, in whatever state it is. */
	async end(): Promise<void> {
		for (const victim of VICTIMS) await this.kill(victim);
	}

	/** The process itself and all below it; none: it does not run. */
	familyOf(victim: Victim): readonly Process[] {
		const root =
			victim === 'sandbox'
				? this.#sandbox?.child.pid
				: victim === 'prober'
					? this.#prober?.pid
					: this.#worker?.process.pid;
		if (root === undefined || root === 0) return [];
		const family = familyOf(root) ?? [];
		return family.some(({ pid }) => pid === root) ? family : [];
	}

	#endedOf(victim: Victim): Promise<unknown> {
		if (victim === 'prober') return this.#prober?.ended ?? Promise.resolve();
		if (victim === 'worker') return this.#worker?.ended ?? Promise.resolve();
		const child = this.#sandbox?.child;
		return child === undefined || child.exitCode !== null ? Promise.resolve() : once(child, 'exit');
	}

	async #startSandbox(): Promise<void> {
		const places = this.#sandbox?.places;
		const portOf = (url: string | undefined): number => (url === undefined ? 0 : Number(new URL(url).port));
		const options: SandboxOptions = {
			replyDelayMs: ROUND_TRIP_MS,
			dohPort: portOf(places?.dohUrl),
			socksPort: portOf(places?.socksUrl),
			rdapPort: portOf(places?.rdapUrl),
			credentials: { username: 'soak', password: this.#password },
		};
		const child = fork(SANDBOX, [], {
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
			env: { ...process.env, SOAK_SANDBOX: JSON.stringify(options) },
		});
		const ended = once(child, 'exit').then(() => null);
		const told = await Promise.race([once(child, 'message'), ended]);
		if (told === null) throw new Error('The sandbox did not start');
		this.#sandbox = { child, places: told[0] as Places };
	}

	async #startProber(): Promise<void> {
		const earlier = this.#prober;
		this.#prober = await startLocalProber(
			{
				SMTP_EGRESS: this.#places.socksUrl,
				ALLOW_PRIVATE_MX: SANDBOX_RANGE,
				HELO_NAME: 'probe.mailsonar.test',
				MAIL_FROM: 'verify@probe.mailsonar.test',
			},
			{
				stateFolder: this.#stateFolder,
				output: 'hide',
				token: this.#token,
				port: earlier === null ? 0 : Number(new URL(earlier.url).port),
			},
		);
	}

	async #startWorker(): Promise<void> {
		this.#worker = await startLocalService({
			sandbox: null,
			port: this.#url === '' ? 0 : Number(new URL(this.#url).port),
			persistTo: this.#stateFolder,
			wrangler: ['--log-level', 'error'],
			output: 'hide',
			vars: {
				DOH_URL: this.#places.dohUrl,
				RDAP_BOOTSTRAP_URL: `${this.#places.rdapUrl}/dns.json`,
				ALLOW_PRIVATE_MX: SANDBOX_RANGE,
				PROBERS: this.#prober?.probers ?? '',
				...this.#vars,
			},
		});
		this.#url = this.#worker.url;
	}

	get #places(): Places {
		if (this.#sandbox === null) throw new Error('the sandbox is started first');
		return this.#sandbox.places;
	}
}

function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch {
		// It ended meanwhile.
	}
}
