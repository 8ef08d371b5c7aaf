import { isFreeProvider, isPrivacyRelay } from './domain-kinds.ts';

// Big providers whose name is no ordinary word and has no known neighbour. Left out on purpose:
// orange.fr (grange, orage), naver.com (never), libero.it (libera), mail.com (email), proton.me (photon).
const NAMED = words(`
	gmail.com googlemail.com icloud.com outlook.com outlook.de outlook.fr outlook.es hotmail.com
	hotmail.co.uk hotmail.fr hotmail.it hotmail.es hotmail.de yahoo.com yahoo.co.uk yahoo.fr
	yahoo.de yahoo.es yahoo.it yahoo.co.in yahoo.co.jp yahoo.com.br rocketmail.com protonmail.com
	fastmail.com tutanota.com comcast.net verizon.net sbcglobal.net bellsouth.net btinternet.com
	t-online.de wanadoo.fr laposte.net
`);
// Names too short or too common to correct a letter in: only errors in the top-level domain count.
const SHORT = words(`
	aol.com gmx.com gmx.net live.com msn.com ymail.com mail.com me.com att.net
`);
const PROVIDERS = [...NAMED, ...SHORT];
// Companies with mail of their own whose name is one letter from a provider's (GAIL, the Indian gas utility).
const REAL_NEIGHBOURS: ReadonlySet<string> = new Set(['gail.com']);
// Top-level domains that do not exist, by the one that was meant.
const NO_SUCH_TOP: Readonly<Record<string, readonly string[]>> = {
	com: words('c cmo cob coj cok con coom comm comn ocm cpm cim clm vom xom dom'),
	net: words('nt nte ent ner nett met nef'),
};
// These top-level domains exist, but no big provider offers mailboxes under them.
const NEAR_TOP: Readonly<Record<string, readonly string[]>> = { com: ['co', 'cm', 'om'], net: ['ne'] };

/**
 * The big mailbox provider whose name was probably meant, or null. The rule, in this order:
 * 1. A known provider or relay is never corrected. A disposable domain is: those that come this close to
 *    a big name (gmial.com) are squatted misspellings.
 * 2. The name of a provider with a top-level domain one slip from its own (`gmail.con`, `gmail.co`), or
 *    with the dot missing (`gmailcom`).
 * 3. The right top-level domain, and a name one edit away: a letter missing, added, changed, or two
 *    neighbours swapped (Damerau-Levenshtein 1). The first letter must be right, or swapped: people
 *    seldom mistype it, and other companies differ there (cloud.com, hmail.com).
 */
export function suggestDomain(domain: string): string | null {
	const typed = domain.toLowerCase();
	if (isFreeProvider(typed) || isPrivacyRelay(typed) || REAL_NEIGHBOURS.has(typed)) return null;
	const [typedName, typedEnd] = split(typed);
	const meant = PROVIDERS.find((provider) => {
		const [name, end] = split(provider);
		if (typedName === name && NO_SUCH_TOP[end]?.includes(typedEnd) === true) return true;
		if (SHORT.includes(provider)) return false;
		if (typed === name + end) return true;
		if (typedName === name) return NEAR_TOP[end]?.includes(typedEnd) === true;
		return typedEnd === end && isOneSlip(typedName, name);
	});
	return meant ?? null;
}

/** Whether the domain itself is one of those providers. */
export function isLargeProvider(domain: string): boolean {
	return PROVIDERS.includes(domain);
}

function words(text: string): string[] {
	return text.trim().split(/\s+/);
}

/** The first label, and what follows its dot. */
function split(domain: string): [name: string, end: string] {
	const [name = ''] = domain.split('.', 1);
	return [name, domain.slice(name.length + 1)];
}

/** Whether one letter is missing, added, another one, or two neighbours are swapped; the first one is right, or swapped. */
export function isOneSlip(typed: string, name: string): boolean {
	let head = 0;
	while (head < name.length && typed[head] === name[head]) head++;
	const exchanged = name.slice(0, head) + name.charAt(head + 1) + name.charAt(head) + name.slice(head + 2);
	if (typed === exchanged) return true;
	if (head === 0) return false;
	const rest = name.slice(head);
	const typedRest = typed.slice(head);
	return (
		typedRest === rest.slice(1) || // a letter is missing
		typedRest.slice(1) === rest || // a letter too many
		typedRest.slice(1) === rest.slice(1) // another letter
	);
}
