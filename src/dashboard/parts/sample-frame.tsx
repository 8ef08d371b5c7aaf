import type { Child } from 'hono/jsx';
import { Tag } from './badge.tsx';

/** A piece of the product with invented data, which its head says. */
export function SampleFrame(props: {
	readonly title: string;
	readonly id?: string;
	readonly children: Child;
}) {
	return (
		<div class="sample" id={props.id} role="group" aria-label={`Sample: ${props.title}`}>
			<p class="sample-head">
				<span>{props.title}</span>
				<Tag tone="accent">Sample</Tag>
			</p>
			<div class="sample-body stack">{props.children}</div>
		</div>
	);
}
