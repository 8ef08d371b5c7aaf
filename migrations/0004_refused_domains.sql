CREATE TABLE `refused_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
