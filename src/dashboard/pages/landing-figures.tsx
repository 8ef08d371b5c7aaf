/** Figures out of docs/performance.md; test/unit/dashboard/landing.test.tsx looks them up there. */
export const MEASURED = {
	/** The day of the run. */
	day: '2026-11-22',
	runs: 15,
	/** A cold answer about a mailbox that exists, median; and the least that the protocols allow. */
	coldMs: 200,
	floorMs: 170,
	/** Open-source verifiers that were compared, and those that called every catch-all mailbox valid. */
	peers: 6,
	fooled: 5,
	/** How long an address of a list of 50,000 takes, by one of a list of 5,000. */
	largeList: 1.03,
} as const;

/** What was measured, how, and by whom: by us. */
export function Measured() {
	const { runs, coldMs, floorMs, peers, fooled, largeList, day } = MEASURED;
	return (
		<section class="band" aria-labelledby="measured">
			<h2 id="measured">Measured, not claimed</h2>
			<ul class="measured">
				<li>
					<p class="measured-figure">0 of {runs}</p>
					<p>
						mailboxes of a catch-all domain called valid without evidence. {fooled} of the {peers} open-source
						verifiers beside us did so {runs} times out of {runs}.
					</p>
				</li>
				<li>
					<p class="measured-figure">{coldMs} ms</p>
					<p>
						for an answer about a domain we had never asked, where DNS and SMTP allow no less than {floorMs}{' '}
						ms.
					</p>
				</li>
				<li>
					<p class="measured-figure">{largeList} ×</p>
					<p>is what an address takes in a list of 50,000, compared with one in a list of 5,000.</p>
				</li>
			</ul>
			<p class="small quiet">
				Our own benchmark of {day}, medians, on one busy machine with two cores: DNS and mail servers are
				played there, 10 ms and 50 ms away. Out in the world the distance to the mail server decides.
			</p>
		</section>
	);
}
