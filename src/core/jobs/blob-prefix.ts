/** The prefix of all blobs of a job, by which they are deleted together. */
export function blobPrefixOf(jobId: string): string {
	return `jobs/${jobId}/`;
}
