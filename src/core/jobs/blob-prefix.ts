/** Where everything that is stored of a job lies, and disappears with it. */
export function blobPrefixOf(jobId: string): string {
	return `jobs/${jobId}/`;
}
