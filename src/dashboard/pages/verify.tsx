import { PRICE } from '../../core/credits/price.ts';
import type { ShownVerification } from '../../operations/verify/verify-for-owner.ts';
import type { Flash } from '../session.ts';
import { plural } from '../format.ts';
import { DashboardPage } from '../layout.tsx';
import { Button } from '../parts/button.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Empty } from '../parts/table.tsx';
import { FlashNotice, Notice } from '../parts/notice.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { VerificationHistory } from '../parts/verification-history.tsx';
import type { ShownHistory } from '../parts/verification-history.tsx';
import type { View } from '../view.ts';

export interface VerifyProps {
	readonly view: View;
	readonly email: string;
	readonly error: string | null;
	readonly available: number;
	/** The verification that was asked for; null: none yet. */
	readonly shown: ShownVerification | null;
	readonly history: ShownHistory;
	readonly flash: Flash | null;
}

/** Verifies one address, shows the result in full, and those of the last two days. */
export function VerifyPage({ view, email, error, available, shown, history, flash }: VerifyProps) {
	return (
		<DashboardPage
			view={view}
			place="Verify"
			title="Verify an address"
			lead={`${plural(PRICE.single, 'credit')} for a definite answer, nothing for an unknown. ${plural(available, 'credit')} available.`}
			islands={['copy']}
		>
			<FlashNotice flash={flash} />
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
					autofocus={shown === null}
				/>
				<Button>Verify address</Button>
			</Form>
			{shown === null ? (
				<Empty
					title="No answer yet"
					text="You will see the status, the reason, the mail server that answered and, for a domain that accepts everything, how its score adds up."
				/>
			) : (
				<Shown shown={shown} />
			)}
			<VerificationHistory
				view={view}
				history={history}
				current={shown?.kind === 'answered' ? shown.id : null}
			/>
		</DashboardPage>
	);
}

function Shown({ shown }: { readonly shown: ShownVerification }) {
	switch (shown.kind) {
		case 'answered':
			return (
				<ResultCard
					{...shown.answer}
					hrefOf={(other) => `/dashboard/verify?email=${encodeURIComponent(other)}`}
				/>
			);
		case 'under_way':
			return <p role="status">We are asking the mail server. The answer is here in a few seconds.</p>;
		case 'failed':
			return (
				<Notice kind="failed" title="This verification could not be finished">
					<p>
						It stopped on our side and says nothing about the address. Nothing was charged, and we release a
						reserved credit within minutes. Verify the address again.
					</p>
				</Notice>
			);
	}
}
