import { PRICE, inCredits } from '../../core/credits/price.ts';
import type { CreditPack } from '../../core/payments/packs.ts';
import { plural } from '../format.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Packs } from '../parts/packs.tsx';

export interface PricesProps {
	/** What credits cost here; empty: the operator shows no prices. */
	readonly packs: readonly CreditPack[];
	readonly contactUrl: string | null;
	readonly trialCredits: number;
}

const COSTS = [
	['An answer: deliverable, undeliverable or risky', inCredits(PRICE.single)],
	['A catch-all address, decided by its score', inCredits(PRICE.catchall)],
	['Unknown, whatever the reason', 'Nothing'],
	['Duplicates and malformed rows of a list', 'Nothing'],
	['A repeated request with its Idempotency-Key', 'Nothing'],
] as const;

/** What a credit buys, and what credits cost. */
export function Prices({ packs, contactUrl, trialCredits }: PricesProps) {
	return (
		<section class="band" aria-labelledby="prices">
			<h2 id="prices">You pay for answers</h2>
			<p class="lead">No subscription and no minimum. What nobody can know costs nothing.</p>
			<div class="split split-even">
				<table class="plain-table">
					<thead>
						<tr>
							<th scope="col">What happens</th>
							<th scope="col" class="num">
								Costs
							</th>
						</tr>
					</thead>
					<tbody>
						{COSTS.map(([what, cost]) => (
							<tr>
								<th scope="row">{what}</th>
								<td class="num">{cost}</td>
							</tr>
						))}
					</tbody>
				</table>
				<div class="stack">
					{packs.length > 0 ? (
						<Packs packs={packs} />
					) : (
						<p>
							Credits are sold by arrangement here.{' '}
							{contactUrl !== null && <a href={contactUrl}>Tell us how many you need</a>}
						</p>
					)}
					<div class="actions">
						<ButtonLink href="/dashboard/sign-up">
							{trialCredits > 0 ? `Start with ${plural(trialCredits, 'free credit')}` : 'Create account'}
						</ButtonLink>
					</div>
				</div>
			</div>
		</section>
	);
}
