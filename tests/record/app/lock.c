/* A module of node (Node-API) whose lock(MILLISECONDS) waits for a mutex that another thread holds for that long. */
#include <node_api.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t held;

static void *
hold(void *ms)
{
    pthread_mutex_lock(&mutex);
    sem_post(&held);
    long n = (long)(size_t)ms;
    nanosleep(&(struct timespec){.tv_sec = n / 1000, .tv_nsec = n % 1000 * 1000000}, NULL);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static napi_value
wait_for_lock(napi_env env, napi_callback_info info)
{
    size_t argc = 1;
    napi_value arg;
    double ms = 0;
    napi_get_cb_info(env, info, &argc, &arg, NULL, NULL);
    napi_get_value_double(env, arg, &ms);
    pthread_t thread;
    sem_init(&held, 0, 0);
    pthread_create(&thread, NULL, hold, (void *)(size_t)ms);
    sem_wait(&held);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return NULL;
}

NAPI_MODULE_INIT()
{
    napi_value f;
    napi_create_function(env, "lock", NAPI_AUTO_LENGTH, wait_for_lock, NULL, &f);
    napi_set_named_property(env, exports, "lock", f);
    return exports;
}
