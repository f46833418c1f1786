"""`manage.py demo_login`: a curator for the demo, and how to sign in as them."""

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand

from asksmall.settings import keep_secret

NAME = "curator"


class Command(BaseCommand):
    help = (
        f"Make the user '{NAME}', who may do everything in the admin, with a random password, and print the login. "
        "The password is kept in the file demo-login of the data folder, for its owner alone; run again, the same is printed."
    )

    def handle(self, *_: object, **__: object) -> None:
        file = settings.DATA_DIR / "demo-login"
        password = keep_secret(file, 12)
        user, new = get_user_model().objects.get_or_create(username=NAME, defaults={"is_staff": True, "is_superuser": True})
        if new:
            user.set_password(password)
            user.save()
        if user.check_password(password):
            self.stdout.write(f"Sign in at /admin/ as {NAME} with the password {password}")
        else:
            self.stdout.write(
                f"The user {NAME} has a password of their own, which is not the one in {file}; `manage.py changepassword {NAME}` sets another."
            )
