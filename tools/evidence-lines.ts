import type { Evidence } from '../src/core/verification/evidence.ts';
import { visible } from '../src/lib/text.ts';

/** The steps as lines for a terminal. */
export function linesOf(evidence: readonly Evidence[]): readonly string[] {
	return evidence.map(({ step, at_ms: atMs, host, code, enhanced, text, rule, source, likelihood }) => {
		const read = rule === undefined ? null : `[${rule}${source === undefined ? '' : `, ${source}`}]`;
		const sure = likelihood === undefined ? null : `likelihood ${likelihood.toFixed(2)}`;
		const words = [host, code, enhanced, text, read, sure].filter(
			(word) => word !== undefined && word !== null,
		);
		return visible(`${String(atMs).padStart(6)} ms  ${step.padEnd(8)}${words.join(' ')}`);
	});
}
