import { count } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { FileDrop, Form, TextArea } from '../../parts/form.tsx';
import type { View } from '../../view.ts';

/** The error of a refused file or text, and the pasted text to show again. */
export interface RefusedList {
	readonly field: 'file' | 'pasted';
	readonly text: string;
	readonly typed?: string;
}

/** Where a list comes in: as a file, or as pasted addresses. */
export function NewList(props: {
	readonly view: View;
	readonly error: RefusedList | null;
	/** One line high, for an account that knows the way. */
	readonly small?: boolean;
}) {
	const { view, error } = props;
	return (
		<div class="stack">
			<Form view={view} action="/dashboard/lists" withFile shows="upload">
				<FileDrop
					name="file"
					label="File with addresses"
					invitation="Drop a file here, or choose one"
					hint={
						<>
							Excel (XLSX), CSV or text, up to {count(50_000)} rows and 20 MB. Any column may hold the
							addresses.
							<span class="by-script block">Uploads right away. You see the price before you pay.</span>
						</>
					}
					accept=".xlsx,.csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
					error={error?.field === 'file' ? error.text : undefined}
					required
					small={props.small === true}
				/>
				<div class="upload-progress" data-upload-progress hidden>
					<progress class="progress" max="100" value="0" aria-label="Upload" />
					<p class="spread">
						<span data-upload-says role="status" class="quiet" />
						<button type="button" class="button button-quiet button-small" data-upload-cancel>
							Cancel upload
						</button>
					</p>
				</div>
				<div class="without-script">
					<Button>Check file</Button>
				</div>
			</Form>
			<details class="more" open={error?.field === 'pasted'}>
				<summary>Paste addresses instead</summary>
				<Form view={view} action="/dashboard/lists" withFile>
					<TextArea
						name="pasted"
						label="Addresses"
						rows={8}
						value={error?.typed ?? ''}
						hint="One per line, or between commas, semicolons, tabs or spaces. Names such as Jane Doe <jane@example.com> are kept, and so are the columns of copied cells."
						error={error?.field === 'pasted' ? error.text : undefined}
						required
					/>
					<Button>Check addresses</Button>
				</Form>
			</details>
		</div>
	);
}
