/** Names the page, by its id in the room, that changes files over REST. */
export const ROOM_PERSON_HEADER = 'x-boxyard-room-person'
