/** A finding in a local part. */
export type MailboxFinding =
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
