// Reached by imports that run when one of the pages is opened: a visit to an editor does without them.
export { PullRequestPage } from './PullRequestPage.tsx'
export { RepositoriesPage } from './RepositoriesPage.tsx'
