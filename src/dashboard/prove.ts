import type { AskAgainRequest, AskedAgain } from '../operations/people/steps/prove.ts';
import { clientAndDevice } from './context.ts';
import type { PageContext } from './context.ts';
import type { FieldErrors } from './forms.ts';
import { publicBase } from './make-view.ts';
import { describeThrottled } from './page-error.ts';

/** What the fields of `ProofFields` hold. */
interface TypedProof {
	readonly current: string;
	readonly code?: string | undefined;
}

/** The proof that a form asks for again. */
export function proofOf(c: PageContext, { current, code = '' }: TypedProof): AskAgainRequest {
	return { password: current, code, base: publicBase(c), ...clientAndDevice(c) };
}

/** What the page says where the proof was not right. */
export function wrongProof(
	c: PageContext,
	asked: Exclude<AskedAgain, { kind: 'right' }>,
): { shown: { errors?: FieldErrors; problem?: string }; status: 422 | 429 } {
	switch (asked.kind) {
		case 'wrong_password':
			return { shown: { errors: { current: 'This is not your password' } }, status: 422 };
		case 'wrong_code': {
			const text = 'This code is wrong, or was used before. Wait for the next one';
			return { shown: { errors: { code: text } }, status: 422 };
		}
		case 'throttled':
			return { shown: { problem: describeThrottled(c, asked) }, status: 429 };
	}
}
