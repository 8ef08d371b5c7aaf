import { Icon } from './icon.tsx';
import type { examplesOf } from './code-examples.ts';

/** A block of code with a copy button. */
export function CodeBlock(props: {
	/** Unique on the page. */
	readonly id: string;
	readonly code: string;
	/** The name of the code, for screen readers: "the key". */
	readonly what: string;
	/** Long single values (keys) break instead of scrolling. */
	readonly wrap?: boolean;
}) {
	return (
		<div class={props.wrap === true ? 'code code-wrap' : 'code'}>
			<pre tabindex={0} role="region" aria-label={props.what}>
				<code id={props.id}>{props.code}</code>
			</pre>
			{/* Only shown if scripts run. */}
			<button type="button" class="button button-quiet button-small" data-copy={props.id} hidden>
				<Icon name="copy" />
				<span data-word aria-live="polite">
					Copy
				</span>
				<span class="unseen"> {props.what}</span>
			</button>
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
