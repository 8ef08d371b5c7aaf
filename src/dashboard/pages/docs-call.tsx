import type { ApiCall, ApiField } from '../api-reference.ts';
import { examplesOf } from '../code-examples.ts';
import { CodeTabs } from '../parts/code.tsx';
import { breakable } from '../parts/long-text.tsx';
import { Table } from '../parts/table.tsx';

/** One call: its purpose, parameters, answers and code examples. */
export function DocsCall({ call, baseUrl }: { readonly call: ApiCall; readonly baseUrl: string }) {
	const taken = [...call.parameters, ...call.body];
	return (
		<section id={call.id} aria-labelledby={`${call.id}-title`}>
			<h2 id={`${call.id}-title`}>{call.summary}</h2>
			<p>
				<span class="method">{call.method}</span> <code>{breakable(call.path)}</code>
			</p>
			{call.description !== null && <Prose text={call.description} />}
			{taken.length > 0 && (
				<>
					<h3>Takes</h3>
					<Fields caption={`What ${call.summary} takes`} fields={taken} withPlace />
				</>
			)}
			<h3>Example</h3>
			<CodeTabs id={`${call.id}-code`} of={call.summary} examples={examplesOf(baseUrl, call.example)} />
			<h3>Answers</h3>
			<ul class="plain-list">
				{call.answers.map(({ status, description }) => (
					<li>
						<strong>{status}</strong> <span class="quiet">{description}</span>
					</li>
				))}
			</ul>
			{call.data.length > 0 && (
				<details class="more more-apart">
					<summary>Show the fields of data</summary>
					<Fields caption={`What ${call.summary} answers`} fields={call.data} />
				</details>
			)}
		</section>
	);
}

function Fields(props: {
	readonly caption: string;
	readonly fields: readonly ApiField[];
	readonly withPlace?: boolean;
}) {
	return (
		<Table
			caption={props.caption}
			rows={props.fields}
			empty={null}
			columns={[
				{ head: 'Field', names: true, width: 144, cell: ({ name }) => <code>{breakable(name)}</code> },
				...(props.withPlace === true
					? [
							{
								head: 'In',
								width: 72,
								cell: ({ place, required }: ApiField) => (required ? `${place}, required` : place),
							},
						]
					: []),
				{ head: 'Type', width: 116, cell: ({ type }) => breakable(type) },
				{ head: 'Notes', width: 120, cell: ({ notes }) => (notes === null ? '' : <Prose text={notes} />) },
			]}
		/>
	);
}

/** Renders text with `code` in backticks, as in the schemas' descriptions. */
function Prose({ text }: { readonly text: string }) {
	return (
		<p>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{breakable(part)}</code> : part))}</p>
	);
}
