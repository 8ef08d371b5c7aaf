import { UPLOAD_TTL_MS } from '../../../core/upload/limits.ts';
import type { Upload } from '../../../operations/uploads/port.ts';
import { count, span } from '../../format.ts';
import { Section } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { Cut, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/figures.tsx';
import type { View } from '../../view.ts';

/** Files that were uploaded and not started yet. Renders nothing if there are none. */
export function WaitingFiles({
	view,
	uploads,
}: {
	readonly view: View;
	readonly uploads: readonly Upload[];
}) {
	if (uploads.length === 0) return null;
	return (
		<Section title="Not started yet">
			<Table
				caption="Files that were not started yet"
				rows={uploads}
				empty={null}
				columns={[
					{
						head: 'File',
						names: true,
						phone: true,
						width: 136,
						class: 'list-name',
						cell: ({ uploadId, fileName }) => (
							<a class="block" href={hrefOf(uploadId)}>
								<Cut text={fileName} />
							</a>
						),
					},
					{ head: 'Rows', align: 'right', width: 72, cell: ({ inspection }) => count(inspection.rows) },
					{
						head: 'Uploaded',
						width: 96,
						cell: ({ stagedAt }) => <Time at={stagedAt} now={view.now} />,
					},
					{
						head: 'Kept for',
						width: 96,
						cell: ({ stagedAt }) => span(Math.max(0, stagedAt + UPLOAD_TTL_MS - view.now)),
					},
				]}
				actions={{
					width: 128,
					of: ({ uploadId, fileName }) => (
						<>
							<a class="row-action" href={hrefOf(uploadId)} aria-label={`Continue with ${fileName}`}>
								Continue
							</a>
							<Form view={view} action={`${hrefOf(uploadId)}/discard`} layout="plain">
								<Button kind="row" label={`Delete ${fileName}`}>
									Delete
								</Button>
							</Form>
						</>
					),
				}}
			/>
		</Section>
	);
}

function hrefOf(uploadId: string): string {
	return `/dashboard/lists/uploads/${uploadId}`;
}
