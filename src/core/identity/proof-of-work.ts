import { sha256Hex } from '../../lib/digest.ts';

/** Hexadecimal zeros with which the digest must begin. A browser finds them within a second or two. */
export const WORK_ZEROS = 4;
/** The field that the browser's script adds to a form. */
export const WORK_FIELD = 'work';

/** A proof of work that a stranger's browser found for its form. */
export interface Work {
	/** The form's hidden token, which no other form has. */
	readonly challenge: string;
	readonly answer: string;
}

/** Whether the answer shows that the browser computed tens of thousands of digests for the challenge. */
export function isWorkDone({ challenge, answer }: Work): boolean {
	return answer.length <= 16 && sha256Hex(`${challenge} ${answer}`).startsWith('0'.repeat(WORK_ZEROS));
}

/** The key under which a form's work is remembered, because it counts once. */
export function workKey(formId: string): string {
	return sha256Hex(`work ${formId}`);
}
