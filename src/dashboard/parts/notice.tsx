import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

type NoticeKind = 'info' | 'done' | 'warning' | 'failed';

const LOOKS = {
	info: { icon: 'info', ink: 'ink-unknown' },
	done: { icon: 'done', ink: 'ink-deliverable' },
	warning: { icon: 'warning', ink: 'ink-risky' },
	failed: { icon: 'failed', ink: 'ink-undeliverable' },
} as const satisfies Record<NoticeKind, { icon: IconName; ink: string }>;

/** What happened and what to do next. `announce`: it answers what the person just did. */
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
			<div class="body">
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
