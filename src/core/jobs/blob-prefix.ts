/** The prefix of all blobs of a job, which deletes them together. */
export function blobPrefixOf(jobId: string): string {
	return `jobs/${jobId}/`;
}
