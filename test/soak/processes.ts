import { randomBytes } from 'node:crypto';
import type { Child } from '../../tools/child.ts';
import { startChild } from '../../tools/child.ts';
import { startLocalProber } from '../../tools/local-prober.ts';
import { startLocalService } from '../../tools/local-service.ts';
import { familyOf } from '../bench/processes.ts';
import type { Process } from '../bench/processes.ts';
import { SANDBOX_RANGE } from '../sandbox/world.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/world.ts';

/** Who can be killed. */
export const VICTIMS = ['worker', 'prober', 'sandbox'] as const;
export type Victim = (typeof VICTIMS)[number];

const SANDBOX = 'test/soak/sandbox-process.ts';
const ROUND_TRIP_MS = 5;

/** Where the sandbox answers. */
export type Places = Pick<Sandbox, 'dohUrl' | 'socksUrl' | 'rdapUrl'>;

/** The three processes of a service on one state. Each comes back at the address it had. */
export class Processes {
	readonly #stateFolder: string;
	readonly #vars: Readonly<Record<string, string>>;
	readonly #token = randomBytes(24).toString('hex');
	readonly #credentials = { username: 'soak', password: randomBytes(12).toString('hex') };
	/** As they run, or ran last. */
	readonly #started = new Map<Victim, Child>();

	constructor(stateFolder: string, vars: Readonly<Record<string, string>>) {
		this.#stateFolder = stateFolder;
		this.#vars = vars;
	}

	/** Where the service answers. */
	get url(): string {
		return this.#started.get('worker')?.url ?? '';
	}

	async start(victim: Victim): Promise<void> {
		this.#started.set(victim, await this.#start[victim]());
	}

	/** Ends a process at once, with all that it started, by their numbers. */
	async kill(victim: Victim): Promise<void> {
		const family = this.familyOf(victim);
		for (const { pid } of family)
			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				// It ended meanwhile.
			}
		if (family.length > 0) await this.#started.get(victim)?.ended;
	}

	/** Ends everything, in whatever state it is. */
	async end(): Promise<void> {
		for (const victim of VICTIMS) await this.kill(victim);
	}

	/** The process itself and all below it; none: it does not run. */
	familyOf(victim: Victim): readonly Process[] {
		const root = this.#started.get(victim)?.process.pid;
		const family = root === undefined ? [] : familyOf(root);
		return family.some(({ pid }) => pid === root) ? family : [];
	}

	readonly #start: Readonly<Record<Victim, () => Promise<Child>>> = {
		sandbox: () => {
			const places = this.#started.has('sandbox') ? this.#places() : null;
			const options: SandboxOptions = {
				replyDelayMs: ROUND_TRIP_MS,
				dohPort: portOf(places?.dohUrl),
				socksPort: portOf(places?.socksUrl),
				rdapPort: portOf(places?.rdapUrl),
				credentials: this.#credentials,
			};
			return startChild(SANDBOX, [JSON.stringify(options)], {
				name: 'the sandbox',
				stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
				urlIn: (message) => JSON.stringify(message),
				shows: () => false,
				leaveBy: 'SIGKILL',
			});
		},
		prober: () =>
			startLocalProber(
				{ SMTP_EGRESS: this.#places().socksUrl, ALLOW_PRIVATE_MX: SANDBOX_RANGE },
				{
					stateFolder: this.#stateFolder,
					output: 'hide',
					token: this.#token,
					port: portOf(this.#started.get('prober')?.url),
				},
			),
		worker: () =>
			startLocalService({
				sandbox: null,
				port: portOf(this.url),
				persistTo: this.#stateFolder,
				wrangler: ['--log-level', 'error'],
				vars: {
					DOH_URL: this.#places().dohUrl,
					RDAP_BOOTSTRAP_URL: `${this.#places().rdapUrl}/dns.json`,
					ALLOW_PRIVATE_MX: SANDBOX_RANGE,
					PROBERS: this.#started.get('prober')?.url.replace('//', `//${this.#token}@`) ?? '',
					...this.#vars,
				},
			}),
	};

	#places(): Places {
		return JSON.parse(this.#started.get('sandbox')?.url ?? '') as Places;
	}
}

/** 0, for any, where there was none before. */
function portOf(url = ''): number {
	return url === '' ? 0 : Number(new URL(url).port);
}
