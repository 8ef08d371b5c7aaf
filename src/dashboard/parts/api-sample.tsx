import { examplesOf } from '../code-examples.ts';
import { Section } from '../layout.tsx';
import { CodeTabs } from './code.tsx';

/** A first call of the API, to be copied. */
export function ApiSample(props: {
	readonly baseUrl: string;
	/** An address that can be verified here. */
	readonly sample: string;
}) {
	const { baseUrl, sample } = props;
	return (
		<Section
			title="Call the API"
			aside={<span class="quiet">Put one of your keys in place of YOUR_API_KEY</span>}
		>
			<CodeTabs
				id="first-call"
				examples={examplesOf(baseUrl, { method: 'POST', path: '/v1/verify', body: { email: sample } })}
			/>
		</Section>
	);
}
