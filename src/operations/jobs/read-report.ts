import { ReportCounter } from '../../core/jobs/report/report.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import { findAnswers, listedRows } from './steps/listed-rows.ts';
import type { ListedRowsServices } from './steps/listed-rows.ts';
import { requireResults } from './steps/stored-results.ts';

export interface ReadReportRequest {
	readonly job: JobRecord;
}

/** The report as it is stored, with what it was made of. */
interface StoredReport {
	readonly madeOf: string;
	readonly report: Report;
}

// Raised when a report has other fields, so that stored ones are made anew.
const VERSION = 1;

/**
 * What there is to say of a completed list as a whole. It is made from the rows when it is first asked for and after each
 * later check, and stored beside them: a repetition makes the same one. Throws as `readResults` does.
 */
export async function readReport(
	services: ListedRowsServices,
	account: AccountRef,
	request: ReadReportRequest,
): Promise<Report> {
	const { job } = request;
	requireResults(job, services.clock.now());
	const madeOf = await sourcesOf(services, account, job);
	const text = await services.jobBlobs.readSummary(job.jobId, 'report');
	const stored = text === null ? null : (JSON.parse(text) as StoredReport);
	if (stored?.madeOf === madeOf) return stored.report;
	const counter = new ReportCounter();
	for await (const row of listedRows(services, account, job)) counter.see(row);
	const report = counter.report();
	const made: StoredReport = { madeOf, report };
	await services.jobBlobs.putSummary(job.jobId, 'report', JSON.stringify(made));
	return report;
}

/** The version, and the checks whose findings the rows hold: those of the list, and of the list that asked again. */
async function sourcesOf(services: ListedRowsServices, account: AccountRef, job: JobRecord): Promise<string> {
	const again = await findAnswers(services, account, job);
	const later = again === null ? '' : await sourcesOf(services, account, again);
	return [VERSION, job.verdictsTaskId ?? '', again?.jobId ?? '', later].join(' ');
}
