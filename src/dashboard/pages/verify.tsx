import { PRICE } from '../../core/credits/price.ts';
import type { Examined } from '../../engine/examined.ts';
import { plural } from '../format.ts';
import { DashboardPage } from '../layout.tsx';
import { Button } from '../parts/button.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Empty } from '../parts/table.tsx';
import type { View } from '../view.ts';

export interface VerifyProps {
	readonly view: View;
	readonly email: string;
	readonly error: string | null;
	/** The same form was sent before: nothing was verified or charged again. */
	readonly repeated: boolean;
	readonly available: number;
	readonly answer: (Examined & { readonly charged: number }) | null;
}

/** Verifies one address and shows the result in full. */
export function VerifyPage({ view, email, error, repeated, available, answer }: VerifyProps) {
	return (
		<DashboardPage
			view={view}
			place="Verify"
			title="Verify an address"
			lead={`${plural(PRICE.single, 'credit')} for a definite answer, nothing for an unknown. ${plural(available, 'credit')} available.`}
			islands={['copy']}
		>
			<Form view={view} action="/dashboard/verify" layout="inline">
				<Field
					name="email"
					type="email"
					label="Email address"
					value={email}
					error={error ?? undefined}
					hint="We ask its mail server, up to 15 seconds, and never send a mail."
					placeholder="jane@acme.com"
					autocomplete="off"
					mono
					required
					autofocus={answer === null}
				/>
				<Button>Verify address</Button>
			</Form>
			{repeated && (
				<Notice kind="info" announce title="This form was sent twice">
					<p>The address was verified once and charged at most once. Verify it again to see the answer.</p>
				</Notice>
			)}
			{answer === null ? (
				<Empty
					title="The answer will be here"
					text="With the status, the reason in words, the server that spoke and, for a domain that accepts everything, how its score came about."
				/>
			) : (
				<div role="status">
					<ResultCard
						{...answer}
						hrefOf={(other) => `/dashboard/verify?email=${encodeURIComponent(other)}`}
					/>
				</div>
			)}
		</DashboardPage>
	);
}
