import { startLocalProber } from '../../tools/local-prober.ts';
import type { LocalProber } from '../../tools/local-prober.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE } from '../sandbox/world.ts';

export interface SandboxProberOptions {
	readonly sandbox: Sandbox;
	readonly stateFolder: string;
	readonly token: string;
	/** One that has ended, whose address this one takes. */
	readonly earlier?: LocalProber | undefined;
	/** A full disk. */
	readonly fileBlocks?: number;
}

/** Starts a prober whose way out leads to the sandbox's mail servers. */
export function startSandboxProber(options: SandboxProberOptions): Promise<LocalProber> {
	const { sandbox, stateFolder, token, earlier, fileBlocks } = options;
	return startLocalProber(
		{
			SMTP_EGRESS: sandbox.socksUrl,
			PROBER_CONTROL: sandbox.control,
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			HELO_NAME: 'probe.mailsonar.test',
			MAIL_FROM: 'verify@probe.mailsonar.test',
		},
		{
			stateFolder,
			output: 'hide',
			token,
			port: earlier === undefined ? 0 : portOf(earlier),
			...(fileBlocks === undefined ? {} : { fileBlocks }),
		},
	);
}

/** Where it listens. */
export function portOf({ url }: LocalProber): number {
	return Number(new URL(url).port);
}

/** How many questions it has taken since its start. */
export async function questionsOf({ url, token }: LocalProber): Promise<number> {
	const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
	const lines = (await response.text()).split('\n');
	const counts = lines.filter((line) => line.startsWith('mailsonar_prober_questions_total{'));
	return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
