import type { VerificationResult } from './render.ts';
import { SUB_STATUSES } from './sub-status.ts';
import type { SubStatusOf } from './sub-status.ts';

/** Why an answer for a form is what it is. */
export const FORM_REASONS = [
	'malformed',
	'domain_does_not_exist',
	'domain_takes_no_mail',
	'disposable',
	'possible_typo',
	'mailbox_not_checked',
	'not_checked',
] as const;
export type FormReason = (typeof FORM_REASONS)[number];

/** The answer that a page's visitor gets: anybody can ask for it, so it says nothing about the account. */
export interface FormAnswer {
	/** Null: nothing is proved, so the form lets the person in. */
	readonly ok: boolean | null;
	/** The address that was probably meant; null: none is likely. */
	readonly suggestion: string | null;
	readonly reason: FormReason;
}

const UNDELIVERABLE: Partial<Record<SubStatusOf<'undeliverable'>, FormReason>> = {
	invalid_domain: 'domain_does_not_exist',
	disposable: 'disposable',
};

/** The text is no address. */
export const MALFORMED: FormAnswer = { ok: false, suggestion: null, reason: 'malformed' };

/** We could not look, for whatever reason. */
export const NOT_CHECKED: FormAnswer = { ok: null, suggestion: null, reason: 'not_checked' };

/** The answer of a quick check for a form, which never proves that a mailbox exists. */
export function formAnswerOf({ did_you_mean: suggestion, details }: VerificationResult): FormAnswer {
	const { sub_status: subStatus } = details;
	const { status } = SUB_STATUSES[subStatus];
	if (status === 'undeliverable') {
		const reason = UNDELIVERABLE[subStatus as SubStatusOf<'undeliverable'>] ?? 'domain_takes_no_mail';
		return { ok: false, suggestion, reason };
	}
	if (subStatus === 'possible_typo') return { ok: null, suggestion, reason: 'possible_typo' };
	return { ok: null, suggestion, reason: subStatus === 'not_asked' ? 'mailbox_not_checked' : 'not_checked' };
}
