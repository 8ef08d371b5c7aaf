import type { Child } from 'hono/jsx';
import { CopyButton } from './button.tsx';
import { Tag } from './badge.tsx';
import type { examplesOf } from './code-examples.ts';

/** A block of code with a copy button. */
export function CodeBlock(props: {
	/** Unique on the page. */
	readonly id: string;
	readonly code: string;
	/** Description for screen readers: "curl". */
	readonly what: string;
	/** Long single values (keys) break instead of scrolling. */
	readonly wrap?: boolean;
}) {
	return (
		<div class={props.wrap === true ? 'code code-wrap' : 'code'}>
			<pre tabindex={0} role="region" aria-label={props.what}>
				<code id={props.id}>{props.code}</code>
			</pre>
			<CopyButton of={props.id} what={props.what} />
		</div>
	);
}

/** The same call in several languages. Radio buttons switch them without a script. */
export function CodeTabs(props: {
	/** Unique on the page. */
	readonly id: string;
	readonly examples: ReturnType<typeof examplesOf>;
}) {
	return (
		<div class="tabs">
			<div class="choices" role="radiogroup" aria-label="Language of the example">
				{props.examples.map(({ language }, index) => (
					<label>
						<input type="radio" name={`${props.id}-language`} value={language} checked={index === 0} />
						{language}
					</label>
				))}
			</div>
			{props.examples.map(({ language, code }, index) => (
				<div class="panel">
					<CodeBlock id={`${props.id}-${index}`} code={code} what={`${language} example`} />
				</div>
			))}
		</div>
	);
}

/** A piece of the product with invented data, which its head says. */
export function SampleFrame(props: {
	readonly title: string;
	readonly id?: string;
	readonly children: Child;
}) {
	return (
		<div class="sample" id={props.id} role="group" aria-label={`Sample: ${props.title}`}>
			<p class="spread sample-head">
				<span>{props.title}</span>
				<Tag tone="accent">Sample</Tag>
			</p>
			<div class="sample-body stack">{props.children}</div>
		</div>
	);
}
