import { HISTORY_WORDS, SEEN_WORDS } from '../../core/verification/history.ts';
import { Section } from '../layout.tsx';
import type { View } from '../view.ts';
import { Button } from './button.tsx';
import { Form } from './form.tsx';

/** Switches the history of single verifications on or off, for everybody in the account. */
export function HistorySetting({
	view,
	keepsHistory,
}: {
	readonly view: View;
	readonly keepsHistory: boolean;
}) {
	return (
		<Section title="History">
			<Form view={view} action="/dashboard/settings/history" layout="narrow">
				<input type="hidden" name="keep" value={keepsHistory ? 'no' : 'yes'} />
				<p>
					{keepsHistory
						? `Addresses that you verify on the Verify page are listed there for ${HISTORY_WORDS}, then deleted. Calls with an API key are never listed.`
						: `The history is off: what you verify on the Verify page is shown for ${SEEN_WORDS}, then deleted.`}
				</p>
				<div class="actions">
					<Button kind="quiet">
						{keepsHistory ? 'Turn off and delete the history' : 'Turn on the history'}
					</Button>
				</div>
			</Form>
		</Section>
	);
}
