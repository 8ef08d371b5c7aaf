import type { Child } from 'hono/jsx';
import type { BalanceView } from '../../core/credits/balance.ts';
import type { CreditsLowView } from '../../operations/webhooks/port.ts';
import type { Flash } from '../view.ts';
import { count, plural } from '../format.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

type NoticeKind = 'info' | 'done' | 'warning' | 'failed';

const LOOKS = {
	info: { icon: 'info', ink: 'ink-unknown' },
	done: { icon: 'done', ink: 'ink-deliverable' },
	warning: { icon: 'warning', ink: 'ink-risky' },
	failed: { icon: 'failed', ink: 'ink-undeliverable' },
} as const satisfies Record<NoticeKind, { icon: IconName; ink: string }>;

/** A message about an event and the next step. With `announce`, screen readers read it out as the answer to an action. */
export function Notice(props: {
	readonly kind: NoticeKind;
	readonly title?: string;
	readonly children?: Child;
	readonly announce?: boolean;
}) {
	const { icon, ink } = LOOKS[props.kind];
	const role = props.kind === 'failed' ? 'alert' : 'status';
	return (
		<div class={`notice ${ink}`} role={props.announce === true ? role : undefined}>
			<Icon name={icon} />
			<div class="body stack-small">
				{props.title !== undefined && (
					<p>
						<strong>{props.title}</strong>
					</p>
				)}
				{props.children}
			</div>
		</div>
	);
}

/** The message of the last action. */
export function FlashNotice({ flash }: { readonly flash: Flash | null }) {
	return flash === null ? null : <Notice kind={flash.kind} announce title={flash.text} />;
}

/** Says that nothing is left to spend, or that the balance is below the threshold that its owner set. */
export function CreditsNotice(props: { readonly balance: BalanceView; readonly low: CreditsLowView }) {
	const { availableCredits, reservedCredits } = props.balance;
	const { isLow, below } = props.low;
	if (availableCredits <= 0) {
		return (
			<Notice kind="warning" title="No credits are available">
				<p>
					We verify nothing new until you add some
					{reservedCredits > 0 &&
						` or ${plural(reservedCredits, 'reserved credit comes', 'reserved credits come')} free`}
					. The API answers 402. <a href="/dashboard/credits/add">Add credits</a>
				</p>
			</Notice>
		);
	}
	if (!isLow || below === null) return null;
	return (
		<Notice kind="warning" title={`${plural(availableCredits, 'credit is', 'credits are')} available`}>
			<p>
				{reservedCredits === 0 ? 'This' : `Together with the ${count(reservedCredits)} reserved, this`} is
				below {plural(below, 'credit')}, the threshold you set.{' '}
				<a href="/dashboard/credits/add">Add credits</a>
			</p>
		</Notice>
	);
}
