import { R2AccountRegister } from './account-register.ts';
import { R2AuditedBucket } from './audited-bucket.ts';
import { D1AuditedListing } from './audited-listing.ts';
import { R2KeptJobs } from './kept-jobs.ts';

/** What audits and sweeps read of the bucket and of the database as a whole. */
export function auditedStores({ BLOBS, DB }: { readonly BLOBS: R2Bucket; readonly DB: D1Database }) {
	return {
		accountRegister: new R2AccountRegister(BLOBS),
		keptJobs: new R2KeptJobs(BLOBS),
		auditedBucket: new R2AuditedBucket(BLOBS),
		auditedListing: new D1AuditedListing(DB),
	};
}
