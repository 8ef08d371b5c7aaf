-- Takes away: applied after the code that no longer uses it.
ALTER TABLE `jobs` DROP COLUMN `name`;--> statement-breakpoint
ALTER TABLE `jobs` DROP COLUMN `accepted`;--> statement-breakpoint
ALTER TABLE `jobs` DROP COLUMN `completed_at`;