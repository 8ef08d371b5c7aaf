import { createServer } from 'node:http';
import type { Asked, Question } from '../../src/wire/prober.ts';
import { readProberConfig } from '../../src/prober/config.ts';
import { createProberApp } from '../../src/prober/app.ts';
import { Prober } from '../../src/prober/prober.ts';
import { openListener } from '../sandbox/listener.ts';
import { answerAt, PROBER_PATH, sentAnswer, VERSION } from '../../src/wire/prober.ts';

const TOKEN = 't'.repeat(32);

/** A whole prober, whose mail hosts are at one port of this machine. */
export interface LocalProber {
	/** Asks it as the Worker does, over HTTP. */
	ask(question: Question): Promise<Asked>;
	close(): Promise<void>;
}

/** Starts a prober in this process. */
export async function startLocalProber(smtpPort: number): Promise<LocalProber> {
	const prober = new Prober(
		readProberConfig({
			PROBER_TOKEN: TOKEN,
			PROBER_STATE: ':memory:',
			SMTP_EGRESS: 'direct://127.0.0.1',
			SMTP_PORT: String(smtpPort),
			HELO_NAME: 'probe.us.test',
			MAIL_FROM: 'verify@us.test',
			PROBER_WARM: 'all',
			PROBER_CONTROL: 'none',
			ALLOW_PRIVATE_MX: 'true',
		}),
	);
	const listener = await openListener(createServer(createProberApp(prober)));
	const ask = async (question: Question): Promise<Asked> => {
		const response = await fetch(`http://127.0.0.1:${listener.port}${PROBER_PATH}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
			body: JSON.stringify({ version: VERSION, sentAt: Date.now(), tells: false, question }),
		});
		return answerAt(Date.now(), sentAnswer.parse(await response.json()), question.implicit);
	};
	return { ask, close: () => listener.close().then(() => prober.end()) };
}
