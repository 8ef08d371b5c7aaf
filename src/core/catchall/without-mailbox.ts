import type { Breakdown, Section } from './breakdown.ts';
import { SECTIONS } from './scorecard.ts';
import type { SectionName } from './scorecard.ts';
import { mailboxName } from '../lists/domain-kinds.ts';

// The label of a role contains the mailbox's name. Together with the domain it is an address, which no database may
// hold.

const ROLE = 'role:';

/** The breakdown without the name of its mailbox. */
export function withoutMailbox(breakdown: Breakdown, localPart: string): Breakdown {
	return relabelled(breakdown, roleOf(localPart), ROLE);
}

/** Restores the name of the mailbox that `withoutMailbox` removed. */
export function withMailbox(breakdown: Breakdown, localPart: string): Breakdown {
	return relabelled(breakdown, ROLE, roleOf(localPart));
}

function roleOf(localPart: string): string {
	return `${ROLE}${mailboxName(localPart)}`;
}

function relabelled(breakdown: Breakdown, from: string, to: string): Breakdown {
	const relabel = (label: string): string => (label === from ? to : label);
	const sections = SECTIONS.map((name) => {
		const section = breakdown[name];
		return [name, { ...section, signals: section.signals.map(relabel) }];
	});
	return {
		...breakdown,
		...(Object.fromEntries(sections) as Record<SectionName, Section>),
		explanations: breakdown.explanations.map((one) => ({ ...one, signal: relabel(one.signal) })),
	};
}
