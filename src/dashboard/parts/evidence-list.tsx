import type { Evidence } from '../../core/verification/evidence.ts';
import { Mono } from './table.tsx';

const STEP_NAMES = {
	dns: 'DNS',
	list: 'Lists',
	connect: 'Connection',
	banner: 'Greeting',
	ehlo: 'EHLO',
	tls: 'TLS',
	mail: 'Sender',
	rcpt: 'Recipient',
	rule: 'Conclusion',
	score: 'Score',
} as const satisfies Record<Evidence['step'], string>;

/** The steps that led to an answer, in order. */
export function EvidenceList({ evidence }: { readonly evidence: readonly Evidence[] }) {
	return (
		<details class="more">
			<summary>Show how we came to it</summary>
			<ol class="stack-small small">
				{evidence.map(({ step, at_ms: atMs, host, code, enhanced, text, rule, likelihood }) => (
					<li>
						<strong>{STEP_NAMES[step]}</strong> <span class="quiet">after {atMs} ms</span>{' '}
						{host !== undefined && <Mono text={host} />} {code} {enhanced} {text}
						{rule !== undefined && (
							<span class="quiet">
								{' '}
								Rule <Mono text={rule} />
								{likelihood !== undefined && `, likelihood ${likelihood.toFixed(2)}`}
							</span>
						)}
					</li>
				))}
			</ol>
		</details>
	);
}
