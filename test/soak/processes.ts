import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';
import { startLocalService } from '../../tools/local-service.ts';
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
	readonly #running = new Map<Victim, { readonly pid: number; readonly ended: Promise<unknown> }>();
	/** As they were at their first start, and are again. */
	#places: Places | null = null;
	#prober: LocalProber | null = null;
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
		for (const { pid } of family) signal(pid, 'SIGKILL');
		if (family.length > 0) await this.#running.get(victim)?.ended;
	}

	/** Ends everything, in whatever state it is. */
	async end(): Promise<void> {
		for (const victim of VICTIMS) await this.kill(victim);
	}

	/** The process itself and all below it; none: it does not run. */
	familyOf(victim: Victim): readonly Process[] {
		const root = this.#running.get(victim)?.pid ?? 0;
		const family = root === 0 ? [] : familyOf(root);
		return family.some(({ pid }) => pid === root) ? family : [];
	}

	async #startSandbox(): Promise<void> {
		const places = this.#places;
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
		this.#running.set('sandbox', { pid: child.pid ?? 0, ended });
		const told = await Promise.race([once(child, 'message'), ended]);
		if (told === null) throw new Error('The sandbox did not start');
		this.#places = told[0] as Places;
	}

	async #startProber(): Promise<void> {
		this.#prober = await startLocalProber(
			{
				SMTP_EGRESS: this.#world.socksUrl,
				ALLOW_PRIVATE_MX: SANDBOX_RANGE,
				HELO_NAME: 'probe.mailsonar.test',
				MAIL_FROM: 'verify@probe.mailsonar.test',
			},
			{
				stateFolder: this.#stateFolder,
				output: 'hide',
				token: this.#token,
				port: portOf(this.#prober?.url),
			},
		);
		const { pid, ended } = this.#prober;
		this.#running.set('prober', { pid, ended });
	}

	async #startWorker(): Promise<void> {
		const {
			url,
			process: child,
			ended,
		} = await startLocalService({
			sandbox: null,
			port: portOf(this.#url),
			persistTo: this.#stateFolder,
			wrangler: ['--log-level', 'error'],
			output: 'hide',
			vars: {
				DOH_URL: this.#world.dohUrl,
				RDAP_BOOTSTRAP_URL: `${this.#world.rdapUrl}/dns.json`,
				ALLOW_PRIVATE_MX: SANDBOX_RANGE,
				PROBERS: this.#prober?.probers ?? '',
				...this.#vars,
			},
		});
		this.#url = url;
		this.#running.set('worker', { pid: child.pid ?? 0, ended });
	}

	get #world(): Places {
		if (this.#places === null) throw new Error('the sandbox is started first');
		return this.#places;
	}
}

/** 0, for any, where there was none before. */
function portOf(url = ''): number {
	return url === '' ? 0 : Number(new URL(url).port);
}

function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch {
		// It ended meanwhile.
	}
}
