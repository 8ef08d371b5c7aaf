// Apart from the rules, which the Worker does not have.

/** True for a rule that judged the reply by its words alone (`BY_WORDS` of the reply rules). */
export function isReadByWords(rule: string | null): boolean {
	return rule?.startsWith('words.') === true;
}
