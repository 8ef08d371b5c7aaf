import { METHODS, scoreOf } from './validate.ts';
import type { Judged, Score } from './validate.ts';

/** Precision and recall of every method, as rows of a Markdown table. */
export function methodsTable(judged: readonly Judged[]): string {
	const rows = METHODS.map((method) => {
		const score = scoreOf(judged, method);
		const { missing, recognised, others, wrong } = score;
		return `| ${method} | ${recognised} of ${missing} | ${recall(score)} | ${wrong} of ${others} | ${precision(score)} |`;
	});
	return [
		'| how a reply is judged | missing mailboxes recognised | recall | other replies accused | precision |',
		'|---|---|---|---|---|',
		...rows,
	].join('\n');
}

function recall({ recognised, missing }: Score): string {
	return percent(recognised, missing);
}

/** The share of the replies found that are right. */
function precision({ recognised, wrong }: Score): string {
	return percent(recognised, recognised + wrong);
}

function percent(part: number, whole: number): string {
	return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}
