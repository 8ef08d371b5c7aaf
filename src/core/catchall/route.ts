import type { MailOperator } from '../mail-operators/find-operator.ts';
import { displayNameOf } from '../mail-operators/operators.ts';
import type { Finding as Answer, Heard, InventedReading } from '../verification/finding.ts';
import type { ListFacts } from '../verification/render.ts';
import { differenceOf } from './reply-difference.ts';
import type { Wording } from './reply-difference.ts';
import { finding } from './table.ts';
import type { Finding } from './table.ts';

/** True when at least two invented recipients were asked, and all of them were accepted. */
export function provesCatchAll(invented: readonly InventedReading[]): boolean {
	return invented.length >= 2 && invented.every((reading) => reading === 'accepted');
}

/** The findings about the mail route, the server's answers and the domain on our lists. */
export function routeFindings(
	heard: Answer | null,
	control: Wording | null,
	{ disposable, suggestedDomain: meant }: Pick<ListFacts, 'disposable' | 'suggestedDomain'>,
): readonly Finding[] {
	const listed = [
		...(disposable ? [finding('disposable:yes')] : []),
		...(meant === null ? [] : [finding('typo', meant, `typo:${meant}`)]),
	];
	if (heard?.kind !== 'heard') return listed;
	const route = routeFinding(heard.operator, provesCatchAll(heard.readings));
	return [route, ...listed, ...replyFindings(heard, control)];
}

function routeFinding(operator: MailOperator | null, acceptsInvented: boolean): Finding {
	const name = operator === null ? null : (operator.gateway ?? operator.smtpProvider ?? operator.operator);
	const subject =
		name === null ? "The domain's own or an unknown mail server" : `The mail server (${displayNameOf(name)})`;
	const label = `provider:${name ?? 'unknown'}`;
	// The classes are about the acceptance of invented recipients only.
	if (!acceptsInvented)
		return finding('route:unknown', `${subject} did not show that it accepts invented recipients`, label);
	const routeClass = operator?.routeClass ?? 'unknown';
	const unknown = `${subject} accepts every recipient for this domain, and nothing is known of how it does so`;
	return finding(`route:${routeClass}`, routeClass === 'unknown' ? unknown : subject, label);
}

function replyFindings(
	{ interpretation: { target }, readings, words }: Heard,
	control: Wording | null,
): readonly Finding[] {
	if (!provesCatchAll(readings)) return [];
	const accepted = finding('randoms:accepted', String(readings.length));
	if (target.kind === 'accepted' && target.certainly) return [accepted, finding('reply:busy')];
	const compared = differenceOf(words, control);
	if (compared === 'uncontrolled' || compared === null) return [accepted];
	return [accepted, finding(`reply:${compared}`)];
}
