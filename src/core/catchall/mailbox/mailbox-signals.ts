import { isNoReply, isRole, mailboxName } from '../../lists/domain-kinds.ts';
import type { Signal } from '../scorecard.ts';
import { findGibberish } from './gibberish.ts';
import { foldLatin, nameShape } from './shape.ts';
import { isMachineMade, isPlaceholder } from './names.ts';

/** A finding in a local part. */
type MailboxFinding =
	| 'two_names'
	| 'name_with_initial'
	| 'one_name'
	| 'core_role'
	| 'other_role'
	| 'no_reply'
	| 'gibberish_strong'
	| 'gibberish_weak'
	| 'placeholder'
	| 'hash_like'
	| 'digits_many'
	| 'digits_all'
	| 'length_one'
	| 'length_long'
	| 'plus_tag';

/**
 * Points of each finding in a local part: +10 doubles the odds, -10 halves them. Most addresses of a list are made of
 * names, so a name says little. These are priors from likelihood ratios, not fitted. Gibberish stays at -30 although
 * the test is far more certain than that, because a true catch-all delivers such mail, too.
 */
export const MAILBOX_WEIGHTS: Record<MailboxFinding, number> = {
	two_names: 4,
	name_with_initial: 3,
	one_name: 2,
	core_role: 5,
	other_role: 2,
	no_reply: -8,
	gibberish_strong: -30,
	gibberish_weak: -12,
	placeholder: -35,
	hash_like: -35,
	digits_many: -10,
	digits_all: -16,
	length_one: -10,
	length_long: -8,
	plus_tag: -4,
};

/** Facts about an address apart from its local part. */
interface MailboxFacts {
	/** The domain of the address: a mailbox named after it (`hrblck@hrblck.example`) is not gibberish. */
	readonly domain: string;
}

// These seven exist nearly everywhere, whether or not mail to them is welcome.
const CORE_ROLE = /^(?:info|contact|office|hello|sales|support|admin)$/;
const DIGITS_MANY = 4;
const LENGTH_LONG = 30;

/**
 * The signals of the local part by itself, in group `mailbox`. Where nothing is found there is one neutral signal,
 * `shape:other`, which shows that it was measured.
 */
export function mailboxSignals(localPart: string, { domain }: MailboxFacts): Signal[] {
	const base = mailboxName(localPart);
	const found = [
		...whatItIs(localPart, base, domain),
		...(hasPlusTag(localPart)
			? [
					signal(
						'plus_tag',
						'plus_tag',
						'The address carries a tag after a plus sign, which is rare in lists.',
					),
				]
			: []),
	];
	if (found.length > 0) return found;
	return [
		{
			group: 'mailbox',
			label: 'shape:other',
			points: 0,
			text: 'The mailbox name speaks neither for nor against a person.',
		},
	];
}

/** Whether the local part seems to be a person's: no role, no-reply, placeholder, hash or gibberish. */
export function isPersonType(localPart: string, { domain }: MailboxFacts): boolean {
	const base = mailboxName(localPart);
	const folded = foldLatin(base);
	return (
		/\p{L}/u.test(base) &&
		!isMachineMade(localPart) &&
		!isPlaceholder(folded) &&
		!isNoReply(localPart) &&
		!isRole(localPart) &&
		gibberishOf(folded, domain) === null
	);
}

// A machine-made name, a placeholder or a role gives this one signal only: its digits, length and letters would count
// the same finding twice.
function whatItIs(localPart: string, base: string, domain: string): Signal[] {
	const folded = foldLatin(base);
	if (isMachineMade(localPart)) {
		return [
			signal(
				'hash_like',
				'hash_like',
				'The mailbox name looks machine-made: a hash, an id or a return path.',
			),
		];
	}
	if (isPlaceholder(folded)) {
		return [signal('placeholder', 'placeholder', 'The mailbox name is what people type to get past a form.')];
	}
	if (isNoReply(localPart)) {
		return [signal('no_reply', 'role:noreply', 'The mailbox only sends; nobody is meant to write to it.')];
	}
	if (CORE_ROLE.test(base)) {
		return [signal('core_role', `role:${base}`, 'Nearly every company has a mailbox of this name.')];
	}
	if (isRole(localPart)) {
		return [
			signal('other_role', `role:${base}`, 'The mailbox is named after a function, as many companies do.'),
		];
	}
	return [...nameOrNoise(localPart, folded, domain), ...digits(base), ...lengthOf(base)];
}

function nameOrNoise(localPart: string, folded: string, domain: string): Signal[] {
	const gibberish = gibberishOf(folded, domain);
	if (gibberish !== null) {
		const text = 'The letters of the mailbox name follow one another as in no name or word.';
		return [signal(`gibberish_${gibberish}`, `gibberish:${gibberish}`, text)];
	}
	const { pattern, knownNames } = nameShape(localPart);
	const shape = pattern === 'other' ? (knownNames > 1 ? 'names' : 'name') : pattern;
	if (knownNames > 1) {
		return [
			signal('two_names', `shape:${shape}`, 'The mailbox name is made of a known first and last name.'),
		];
	}
	if (knownNames === 0) return [];
	if (['f.last', 'flast', 'first.l', 'lastf'].includes(pattern)) {
		return [
			signal('name_with_initial', `shape:${shape}`, 'The mailbox name is an initial and a known name.'),
		];
	}
	return [signal('one_name', `shape:${shape}`, 'The mailbox name contains a known name.')];
}

function gibberishOf(folded: string, domain: string): 'strong' | 'weak' | null {
	const labels = foldLatin(domain).split('.');
	const bearsDomainName = labels.some((label) => plain(label) === plain(folded));
	return bearsDomainName ? null : findGibberish(folded);
}

function plain(text: string): string {
	return text.replaceAll(/[._-]/g, '');
}

function digits(base: string): Signal[] {
	const count = base.replaceAll(/\D/g, '').length;
	if (count > 0 && !/\p{L}/u.test(base)) {
		return [signal('digits_all', 'digits:all', 'The mailbox name has digits and no letters.')];
	}
	if (count < DIGITS_MANY) return [];
	return [
		signal(
			'digits_many',
			'digits:4+',
			'The mailbox name has four digits or more, which is rare at companies.',
		),
	];
}

function lengthOf(base: string): Signal[] {
	const characters = Array.from(base).length;
	if (characters === 1) return [signal('length_one', 'length:1', 'The mailbox name has a single character.')];
	if (characters <= LENGTH_LONG) return [];
	return [signal('length_long', 'length:30+', 'The mailbox name has more than thirty characters.')];
}

function hasPlusTag(localPart: string): boolean {
	return (localPart.startsWith('"') ? localPart.slice(1, -1) : localPart).indexOf('+') > 0;
}

function signal(finding: MailboxFinding, label: string, text: string): Signal {
	return { group: 'mailbox', label, points: MAILBOX_WEIGHTS[finding], text };
}
