import { UPLOAD_TTL_MS } from '../../core/upload/limits.ts';
import type { Upload } from '../../operations/uploads/port.ts';
import { count } from '../format.ts';
import { Section } from '../layout.tsx';
import { Button } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import { Cut } from '../parts/long-text.tsx';
import { Time } from '../parts/figures.tsx';
import { Table } from '../parts/table.tsx';
import type { View } from '../view.ts';

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
						width: 200,
						cell: ({ uploadId, fileName }) => (
							<a class="row-link block" href={hrefOf(uploadId)}>
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
						head: 'Deleted',
						width: 96,
						cell: ({ stagedAt }) => <Time at={stagedAt + UPLOAD_TTL_MS} now={view.now} />,
					},
					{
						head: 'Actions',
						hidesHead: true,
						align: 'right',
						width: 176,
						cell: ({ uploadId, fileName }) => (
							<div class="row-actions">
								<a
									class="button button-quiet button-small"
									href={hrefOf(uploadId)}
									aria-label={`Continue with ${fileName}`}
								>
									Continue
								</a>
								<Form view={view} action={`${hrefOf(uploadId)}/discard`} layout="plain">
									<Button kind="quiet" size="small" label={`Delete ${fileName}`}>
										Delete
									</Button>
								</Form>
							</div>
						),
					},
				]}
			/>
		</Section>
	);
}

function hrefOf(uploadId: string): string {
	return `/dashboard/lists/uploads/${uploadId}`;
}
