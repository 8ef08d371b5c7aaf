import type { Child } from 'hono/jsx';
import { formatMoney, pricePerThousand } from '../../core/payments/packs.ts';
import type { CreditPack } from '../../core/payments/packs.ts';
import { count } from '../format.ts';

/** What credits cost: for customers with a button, for everybody without. */
export function Packs(props: {
	readonly packs: readonly CreditPack[];
	readonly actionOf?: (pack: CreditPack) => Child;
}) {
	return (
		<ul class="packs">
			{props.packs.map((pack) => (
				<li>
					<p class="pack-credits">
						<strong>{count(pack.credits)}</strong> credits
					</p>
					<p class="pack-price">{formatMoney(pack.price)}</p>
					<p class="small quiet">{pricePerThousand(pack)} per 1,000</p>
					{props.actionOf?.(pack)}
				</li>
			))}
		</ul>
	);
}
