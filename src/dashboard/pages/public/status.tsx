import type { Services } from '../../../services.ts';
import { Shape } from '../../parts/badge.tsx';
import { TextPage } from '../../parts/text-page.tsx';
import type { View } from '../../view.ts';

const PARTS = [
	['database', 'Sign-in and the dashboard', 'The database answers.'],
	['accounts', 'Credits and verifications', 'Accounts answer.'],
	['files', 'Lists and results', 'Files can be read.'],
	['queues', 'Work on lists', 'Lists can be handed out.'],
	['keys', 'API keys', 'Keys can be checked.'],
	['probers', 'Asking mail servers', 'A machine that asks them is ready.'],
] as const satisfies readonly (readonly [keyof Health, string, string])[];

type Health = Awaited<ReturnType<Services['health']>>;

/** How the service is at this moment: what /healthz says, for people. */
export function StatusPage({ view, health }: { readonly view: View; readonly health: Health }) {
	const allWell = PARTS.every(([part]) => health[part].length === 0);
	return (
		<TextPage
			view={view}
			title="Status"
			description="Whether the service works at this moment: accounts, keys, and the machines that ask mail servers."
			address="/status"
		>
			<p>{allWell ? 'All systems work.' : 'Some systems do not work.'}</p>
			<ul class="health">
				{PARTS.map(([part, name, well]) => {
					const [problem] = health[part];
					const tone = problem === undefined ? 'deliverable' : 'undeliverable';
					return (
						<li>
							<span class={`disc tone-${tone}`}>
								<Shape tone={tone} />
							</span>
							<div>
								<h2>{name}</h2>
								<p class="quiet">{problem === undefined ? well : 'Does not work at the moment.'}</p>
							</div>
							<strong class={`ink-${tone}`}>{problem === undefined ? 'Works' : 'Fails'}</strong>
						</li>
					);
				})}
			</ul>
			<p class="quiet">
				Checked within the last ten seconds. This page keeps no history. We release credits reserved for work
				that fails.
			</p>
			<p>
				For monitors: <a href="/healthz">/healthz</a> is 200 when all is well and 503 when it is not.
			</p>
		</TextPage>
	);
}
