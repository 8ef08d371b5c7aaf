import type { AskAgainRequest, AskedAgain } from '../operations/people/steps/prove.ts';
import { clientAndDevice } from './context.ts';
import type { PageContext } from './context.ts';
import type { FieldErrors } from './forms.ts';
import { publicBase } from './make-view.ts';
import { describeThrottled } from './page-error.ts';

/** The values of `ProofFields`. */
interface TypedProof {
	readonly current: string;
	readonly code?: string | undefined;
}

/** The proof that a form asks for again. */
export function proofOf(c: PageContext, { current, code = '' }: TypedProof): AskAgainRequest {
	return { password: current, code, base: publicBase(c), ...clientAndDevice(c) };
}

/** The errors of a wrong proof. */
export function wrongProof(
	c: PageContext,
	refusal: Exclude<AskedAgain, { kind: 'right' }>,
): { draft: { errors?: FieldErrors; problem?: string }; status: 422 | 429 } {
	switch (refusal.kind) {
		case 'wrong_password':
			return { draft: { errors: { current: 'This is not your password' } }, status: 422 };
		case 'wrong_code': {
			const text = 'This code is wrong, or was used before. Wait for the next one';
			return { draft: { errors: { code: text } }, status: 422 };
		}
		case 'throttled':
			return { draft: { problem: describeThrottled(c, refusal) }, status: 429 };
	}
}
