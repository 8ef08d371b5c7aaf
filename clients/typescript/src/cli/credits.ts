import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { count } from './progress.ts';
import { json } from './visible.ts';

/** `mailsonar credits` */
export async function credits(context: Context): Promise<ExitCode> {
	const { options, terminal, signal } = context;
	const { client } = context.connect();
	const { meta: _, ...balance } = await client.credits({ signal });
	const rows = [
		['available', balance.availableCredits],
		['reserved', balance.reservedCredits],
		['balance', balance.balance],
		['consumed', balance.totalConsumed],
		['refunded', balance.totalRefunded],
	] as const;
	const figures = rows.map(([name, figure]) => [name, count(figure)] as const);
	const width = Math.max(...figures.map(([, figure]) => figure.length));
	const text = figures.map(([name, figure]) => `${name.padEnd(9)}  ${figure.padStart(width)}\n`).join('');
	await terminal.write(options['json'] === true ? `${json(balance)}\n` : text);
	return EXIT.done;
}
